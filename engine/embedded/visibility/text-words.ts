/**
 * The words of a text as full-text search knows them (runs of letters and digits, in lower case, without accents), each
 * with a blank before and behind it: a phrase is found in a text by looking for its words in the text's.
 */
export function spacedWords(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return ` ${(plain.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
}
