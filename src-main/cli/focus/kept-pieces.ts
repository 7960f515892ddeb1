import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Span } from '../../../src-preload/contract/focus.ts';
import { lengthText } from '../../../src-preload/contract/length-text.ts';
import { joinedSpans, keptBetween } from '../../../src-preload/contract/spans.ts';
import type { Cut, Moment } from './arguments.ts';

/** How somebody says what of a recording is kept: from when to when, or what is left out. */
export interface PieceFlags {
  from?: Moment;
  to?: Moment;
  cut?: Cut[];
}

/** A video may be a bit longer than what was recorded: its last picture stays for some time. */
const BEYOND_MS = 1_000;

/** What can be known before a recording is found. @throws BAD_REQUEST in the words of the flags */
export function checkPieces({ from, to, cut = [] }: PieceFlags): void {
  if (cut.length > 0 && (from || to))
    throw wrong('cut', 'Say either what is kept (--from, --to) or what is left out (--cut), and not both.');
  if (to && to.ms <= (from?.ms ?? 0))
    throw wrong(
      'to',
      from ? `--to ${to.text} is not after --from ${from.text}.` : `There is nothing before --to ${to.text}.`,
    );
}

/**
 * The pieces of a recording that are kept, ascending; undefined for all of it.
 * @param activeMs how long it is
 * @throws BAD_REQUEST in the words of the flags, where nothing would be left, and for what lies after its end
 */
export function keptPieces({ from, to, cut = [] }: PieceFlags, activeMs: number): Span[] | undefined {
  const long = `the recording is ${lengthText(activeMs)} long`;
  if (from && from.ms >= activeMs + BEYOND_MS)
    throw wrong('from', `There is nothing after --from ${from.text}: ${long}.`);
  const beyond = cut.find(({ fromMs }) => fromMs >= activeMs + BEYOND_MS);
  if (beyond) throw wrong('cut', `There is nothing to leave out at --cut ${beyond.text}: ${long}.`);
  if (cut.length > 0) return keptOf(cut, activeMs);
  if (!from?.ms && !to) return undefined;
  return [{ fromMs: from?.ms ?? 0, toMs: to?.ms ?? activeMs + BEYOND_MS }];
}

function keptOf(cuts: readonly Cut[], activeMs: number): Span[] {
  // Who leaves out all up to the length that is told, in whole seconds, means the end.
  const toldMs = activeMs - (activeMs % 1_000);
  const spans = cuts.map(({ fromMs, toMs }) => ({ fromMs, toMs }));
  const kept = keptBetween(joinedSpans(spans), activeMs + BEYOND_MS).filter(({ fromMs }) => fromMs < toldMs);
  if (kept.length > 0) return kept;
  const said = cuts.map(({ text }) => `--cut ${text}`).join(' ');
  throw wrong('cut', `Nothing would be left: the recording is ${lengthText(activeMs)} long, and there is ${said}.`);
}

const wrong = (field: string, message: string) => new QuarryError({ code: 'BAD_REQUEST', message, field });
