// Prints numbers as Java does: `5`, `0.5`, `1.0E-5`, `1.5E10`.

/** For `str`; infinities and NaN as words. */
export function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return Object.is(value, -0) ? '-0.0' : String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) return String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`;
}

/** For `pr-str` and EDN. */
export function numberEdn(value: number): string {
  if (Number.isFinite(value)) return numberText(value);
  return Number.isNaN(value) ? '##NaN' : value > 0 ? '##Inf' : '##-Inf';
}
