/**
 * Makes the words of a text as full-text search uses them (letters and digits in lower case, without accents), each
 * with a blank before and after it: a text has a phrase if the phrase's words are part of the text's.
 */
export function spacedWords(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return ` ${(plain.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
}
