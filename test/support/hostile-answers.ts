/** What a model, or who hands its words on, may write to break the screen that shows it: by name, with its first letters. */
export const HOSTILE_ANSWERS: Record<string, string> = {
  '3,000 quotes': '>'.repeat(3_000),
  '4,000 lists': '- '.repeat(4_000),
  '4,000 lists with a word': `${'- '.repeat(4_000)}end`,
  '1,000 lists by their columns': Array.from({ length: 1_000 }, (_, level) => `${' '.repeat(2 * level)}- a`).join('\n'),
  '300 lists by their columns, with empty lines': Array.from(
    { length: 300 },
    (_, level) => `${' '.repeat(2 * level)}- a`,
  ).join('\n\n'),
  'lists by their columns behind a return alone': Array.from(
    { length: 300 },
    (_, level) => `${' '.repeat(2 * level)}- a`,
  ).join('\r'),
  'lists by their columns in a quote': Array.from({ length: 300 }, (_, level) => `>${' '.repeat(2 * level)}- a`).join(
    '\n',
  ),
  '4,000 brackets': '['.repeat(4_000),
  '50,000 stars': '*'.repeat(50_000),
  '8,000 words with tildes': '~a'.repeat(8_000),
  'emphasis in emphasis': `${'*a '.repeat(4_000)}${'a* '.repeat(4_000)}`,
  'a table of 2,000 columns': `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'|b'.repeat(2_000)}|`,
  'a table whose rows are left out': `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'|\n'.repeat(5_000)}`,
  'one line of 1 MB': 'word '.repeat(200_000),
  'a fence that never ends': `\`\`\`ts\n${'const a = [[1]];\n'.repeat(3_000)}`,
  'a fence inside of a comment': `<!--\n\`\`\`\n-->\n${'~a'.repeat(8_000)}\n${'>'.repeat(3_000)}\n\`\`\`\n`,
  'marks that turn the direction of writing': `${'\u202e'.repeat(2_000)}abc\u2066 [safe](https://example.com/) ${'\u200f'.repeat(2_000)}`,
  'one address, referred to 10,000 times': `[a]: https://example.com/${'x'.repeat(8_000)}\n\n${'[a] [a] [a]\n\n'.repeat(3_000)}`,
  '100,000 empty lines': `begin${'\n'.repeat(100_000)}end`,
};
