// The texts in which a secret can stand: as it is, and in the encodings in which programs pass it on.

/** No two alike. */
export function formsOf(secret: string): readonly string[] {
  const escaped = inJsonText(secret);
  const bytes = [...new Set([secret, escaped])].map((text) => Buffer.from(text));
  const encoded = bytes.flatMap((each) => [...inHex(each), ...inBase64(each)]);
  return [...new Set([secret, escaped, ...inAddresses(secret), ...encoded])];
}

function inJsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As `encodeURIComponent` and `encodeURI` do, as RFC 3986 says, and as forms do; escapes in upper and in lower case. */
function inAddresses(secret: string): readonly string[] {
  const whole = secret.toWellFormed();
  const strict = encodeURIComponent(whole).replace(/[!'()*]/g, escaped);
  const forms = [encodeURIComponent(whole), encodeURI(whole), strict, strict.replaceAll('%20', '+')];
  return forms.flatMap((form) => [form, form.replace(/%../g, (each) => each.toLowerCase())]);
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function inHex(bytes: Buffer): readonly string[] {
  const digits = bytes.toString('hex');
  return [digits, digits.toUpperCase()];
}

/**
 * Whole, and without the digits that also hold bits of its neighbors, for each of the three places in which the secret
 * can begin within a group of four digits; in both alphabets, and with the escapes of an address.
 */
function inBase64(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64');
  const within = [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [whole, whole.replaceAll('=', ''), ...within].flatMap((digits) => [
    digits,
    digits.replaceAll('+', '-').replaceAll('/', '_'),
    ...inAddresses(digits),
  ]);
}
