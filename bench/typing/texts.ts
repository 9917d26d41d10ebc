const LENGTH = 1000;

function cut(text: string): string {
  const chars = Array.from(text);
  return Array.from({ length: LENGTH }, (_, index) => chars[index % chars.length]).join('');
}

const ASCII =
  'The quick brown fox (aged 7) jumps over 2 lazy dogs & runs {home}; "why?" it\'s <late>, #42 ~ 100%! ';

/** Scripts, accents, combining marks, quotes and emoji: with skin tones, joined ones, flags. */
const MIXED =
  'Straße, façade, señor; naïve Ærø: żółć. Ελληνικά и кириллица… “quoted” – 30 € ½ ×2 ≤ ∞ →\n' +
  'e\u0301a\u0308 किताब ไทย ภาษา 漢字かなカナ 한국어 עברית عربي 👍🏽 👩‍💻 👨‍👩‍👧 🇪🇺 ❤️ 😀🎉🚀 café @home [x] `y` ^z ~\n';

/** 500 different Chinese characters, each twice, neighbours far apart. */
const CJK = Array.from({ length: LENGTH }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 37) % 500) * 11),
).join('');

export const TEXTS: Readonly<Record<string, string>> = {
  'ASCII, 1,000 characters': cut(ASCII),
  'mixed scripts and emoji, 1,000': cut(MIXED),
  'Chinese, 1,000 with 500 different': CJK,
};
