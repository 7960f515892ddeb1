/*
 * Whether a text gives orders to whoever judges it. Work hardly ever talks of the one who will grade it, so that what is found goes to a person rather than
 * to a model. It finds what people try, in eleven languages; it cannot find everything: whoever writes it anew in other words is not found here.
 */

/** Of one text no more is looked at: titles, descriptions and annotations are shorter. */
const MOST_CHARS = 20_000;
/** Around what was found, for the person who looks at it. */
const MOST_SHOWN = 160;

const RATED = '(?:scores?|grades?|ratings?|marks?|completion|this (?:recording|video|work|task|submission)|it)';
const BEST = '(?:1[.,]0+|0?[.,]9\\d*|1\\b|100 ?%|100\\b|10 ?/ ?10|full|max(?:imum)?|highest|perfect|top)';

/** For texts that {@link plain} has gone over. `.{0,n}`: the words in between. Nothing in them is repeated without a bound: that takes time with the square of a text. */
const ORDERS: readonly RegExp[] = [
  // English
  /(?:ignore|disregard|forget|override|bypass|skip|drop)\b[^.;!?]{0,40}\b(?:previous|above|prior|earlier|preceding|all|any|your|the)\b[^.;!?]{0,30}\b(?:instructions?|rules?|prompts?|criteria|rubrics?|guidelines?|directives?)/,
  new RegExp(
    `\\b(?:give|award|assign|return|output|respond|answer|grade|rate|score|set|mark|report)\\b.{0,60}\\b${RATED}\\b.{0,40}\\b${BEST}`,
  ),
  new RegExp(
    `\\b(?:give|award|assign|return|output|respond|answer|grade|rate|set|mark|report)\\b.{0,40}\\b${BEST}.{0,30}\\b(?:scores?|grades?|ratings?|marks?|points)\\b`,
  ),
  /\b(?:dear|attention|note to|notice to|hey|hello|to the|message (?:to|for)|for the)\b.{0,20}\b(?:ai|a\.i\.|llm|language model|assistant|judge|grader|evaluator|reviewer|scorer|scoring model|gpt|claude|gemini)\b/,
  /\b(?:you are (?:now|no longer)|from now on,? you|act as|pretend (?:to be|that)|switch to|enter) .{0,60}\b(?:assistant|judge|grader|evaluator|model|ai|mode|role|generous|lenient|admin|developer)\b/,
  /\bnew (?:system |developer )?(?:instructions?|prompt|rules|role)\s{0,4}[:=]/,
  /\b(?:legitimate|approved?|accept(?:ed)?|pass(?:ed)?)\b.{0,30}\b(?:without|no) (?:further )?(?:review|checks?|question)/,
  /\b(?:mark|treat|consider|declare|classify)\b.{0,40}\b(?:as )?(?:legitimate|genuine|fully complete|completed in full)\b/,
  // Messages and borders that somebody else is meant to have written
  /<\|[^|]{1,40}\|>|\[\/?inst\]|<\/?(?:system|assistant|user|instructions?)>|<<\/?sys>>/,
  /(?:^|[\n"'\\])\s{0,4}(?:#{1,4}\s{0,4})?(?:system|assistant|developer)\s{0,4}(?:message|prompt)?\s{0,4}:/m,
  /[<>]{3}\s{0,4}\/?\s{0,4}(?:end|data|block|material|recording|task|[0-9a-f]{8,})/,
  /\b(?:end|close) of (?:the )?(?:data|material|block|recording|transcript|annotation)\b/,
  // Answers that somebody else is meant to have given
  /["']?(?:completion_?score|final_?score|score|grade)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?:1(?:\.0+)?\b|0?\.9\d*)/,
  /["']?(?:legitimate|approved)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?true\b/,
  // German
  /(?:ignorier|vergiss|vergesst|missachte|übergeh)\w{0,20}.{0,60}(?:anweisung|regel|vorgabe|anleitung|kriteri)/,
  /(?:gib|gebt|vergib|vergebt|bewerte|benote|setze)\b.{0,60}(?:volle|höchst|best|maximal|1[.,]0|100 ?%|note 1)/,
  // French
  /(?:ignore|ignorez|oublie|oubliez)\b.{0,60}(?:instruction|consigne|règle)/,
  /(?:donne|donnez|attribue|attribuez|mets|mettez)\b.{0,60}(?:note maximale|meilleure note|score|1[.,]0|20 ?\/ ?20)/,
  // Spanish, Portuguese, Italian
  /(?:ignora|ignore|olvida|esqueça|dimentica)\b.{0,60}(?:instruccion|instrução|instruções|istruzion|reglas|regras|regole)/,
  /(?:asigna|otorga|califica|dale|atribua|dê|assegna|dai)\b.{0,60}(?:puntuaci|nota|pontuaç|punteggio|voto|1[.,]0|máxim|massim)/,
  // Russian
  /(?:игнориру|забуд|не обращай внимания)\S{0,20}.{0,60}(?:инструкци|правил|указани)/,
  /(?:поставь|поставьте|оцени|оцените|дай|дайте)(?=\s).{0,60}(?:балл|оценк|1[.,]0|максим|высш)/,
  // Chinese, Japanese, Korean
  /(?:忽略|无视|忘记).{0,30}(?:指令|指示|规则|提示|要求)/,
  /(?:给|打|评).{0,20}(?:满分|最高分|1\.0|100 ?分)/,
  /(?:指示|命令|ルール|規則|プロンプト).{0,20}(?:無視|忘れ)/,
  /(?:満点|最高点|最高の評価|1\.0).{0,20}(?:付け|つけ|与え|ください|して)/,
  /(?:지시|규칙|명령).{0,20}(?:무시|잊)/,
  // Arabic, Turkish
  /(?:تجاهل|انس).{0,40}(?:التعليمات|القواعد|الأوامر)/,
  /(?:talimat|kural)\S{0,20}.{0,30}(?:yok say|unut|dikkate alma|görmezden)/,
];

/** Letters of other alphabets that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', в: 'b', с: 'c', е: 'e', н: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', о: 'o', р: 'p', ѕ: 's', т: 't' },
  ...{ у: 'y', х: 'x', ԁ: 'd', ɡ: 'g', ο: 'o', α: 'a', ε: 'e', ι: 'i', ρ: 'p', ν: 'v', τ: 't', υ: 'u' },
};

/** The first order in these texts, with the words around it, as it was written; undefined where none is found. */
export function orderIn(texts: readonly string[]): string | undefined {
  // Also what is spread over several of them, as over the steps of an annotation.
  for (const text of [...texts, texts.join(' ')]) {
    const found = orderOf(text.slice(0, MOST_CHARS));
    if (found !== undefined) return found;
  }
  return undefined;
}

function orderOf(text: string): string | undefined {
  const [seen] = [...readingsOf(text)].filter(hasOrder);
  if (seen === undefined) return undefined;
  const match = ORDERS.map((order) => order.exec(seen)).find((found) => found !== null);
  const from = Math.max(0, (match?.index ?? 0) - 20);
  return seen.slice(from, from + MOST_SHOWN).trim();
}

const hasOrder = (text: string) => ORDERS.some((order) => order.test(text));

/** Unicode has each letter of ASCII once more as a tag: nobody sees those, and models read them. */
const TAGS = /[\u{e0020}-\u{e007e}]/gu;

/** Ways to read a text: as it is, with lookalikes and letters apart put right, and what is in it as base64, as tags or backwards. */
function* readingsOf(text: string): Generator<string> {
  const read = plain(text);
  yield read;
  yield read.replace(/[^\x20-\x7e]/g, (letter) => LOOKALIKES[letter] ?? letter);
  yield joined(read);
  for (const hidden of base64In(text)) yield plain(hidden);
  yield plain(text.replace(TAGS, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)));
  yield [...read].reverse().join('');
}

/** Small letters in their usual form, without what cannot be seen, and no more than one space or new line at once. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .slice(0, MOST_CHARS)
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\n\s+/g, '\n');
}

/** «i g n o r e»: letters apart are a word. */
function joined(text: string): string {
  return text.replace(/(?:\b\w[ .\-_*]){4,}\w\b/g, (apart) => apart.replace(/[ .\-_*]/g, ''));
}

function base64In(text: string): string[] {
  return (text.match(/[A-Za-z0-9+/_-]{24,}={0,2}/g) ?? []).map((coded) =>
    Buffer.from(coded, 'base64').toString('utf8'),
  );
}
