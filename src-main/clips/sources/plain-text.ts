import { foreignLine } from '../../base/foreign-text.ts';

/** So much of a stranger's markup is looked at. */
const MOST_MARKUP = 100_000;
/** What is written between these is not read by people. */
const UNREAD = ['style', 'script', 'template'];
/** Between lines rather than within one. */
const BLOCKS = ['p', 'br', 'div', 'li', 'ul', 'ol', 'tr', 'td', 'table', 'hr', 'dd', 'dt'];
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
};

/**
 * What people read of HTML, in one line, without what would steer a terminal or turn the text around it. In one pass from the left, whatever it is: nothing that is looked for twice
 * makes long markup slow. The result is text: it is never HTML again, whatever it spells.
 * @param most UTF-16 units of the result
 */
export function plainText(html: string, most: number): string {
  return line(decoded(withoutTags(html.slice(0, MOST_MARKUP))), most);
}

/** A stranger's words in one line, as {@link plainText}, of what is no HTML. */
export function line(text: string, most: number): string {
  // Twice as much as is kept: what is taken out of it makes it shorter.
  return shortened(foreignLine(text.slice(0, 2 * most + 1_000)), most);
}

/** With `…` at the end where it was longer; no character is cut in two. @param most UTF-16 units */
export function shortened(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  return `${whole.slice(0, Math.max(0, most - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}

function withoutTags(html: string): string {
  let text = '';
  let at = 0;
  while (at < html.length) {
    const begin = html.indexOf('<', at);
    if (begin < 0) break;
    text += html.slice(at, begin);
    const name = /^<[/!]?([a-z][a-z0-9]*|--)?/i.exec(html.slice(begin, begin + 20))?.[1]?.toLowerCase();
    const end = html.indexOf('>', begin);
    if (end < 0) return text + html.slice(begin);
    if (name === undefined) text += '<';
    else if (BLOCKS.includes(name)) text += ' ';
    at = name === undefined ? begin + 1 : afterTag(html, { name, begin, end });
  }
  return text + html.slice(at);
}

/** Where it goes on behind a tag, and behind all that is in it where nobody sees that. */
function afterTag(html: string, { name, begin, end }: { name: string; begin: number; end: number }): number {
  if (name === '--') return past(html, '-->', begin);
  const isHidden = html[begin + 1] !== '/' && /display\s*:\s*none/i.test(html.slice(begin, end));
  return UNREAD.includes(name) || isHidden ? past(html, `</${name}`, end) : end + 1;
}

function past(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  const end = found < 0 ? -1 : html.indexOf('>', found);
  return end < 0 ? html.length : end + 1;
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
