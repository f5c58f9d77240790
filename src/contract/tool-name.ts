// Names of capabilities, made from the names that tools have in public lists.

/** Makes lower-case words: `Text-to-Speech` becomes `text_to_speech`, `RentalCars.GetCars` becomes `rental_cars.get_cars`. */
export function capabilityNameOf(tool: string): string {
  const words = tool
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '_')
    .split('.')
    .map((part) => part.replace(/^_+|_+$/g, ''))
    .filter((part) => part !== '')
    .map((part) => (/^[a-z]/.test(part) ? part : `tool_${part}`));
  return words.length === 0 ? 'tool' : words.join('.');
}
