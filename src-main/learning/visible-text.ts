import { sha256 } from '../base/sha256.ts';

const CHANNEL = '<|channel|>';
const MESSAGE = '<|message|>';
/** What ends a channel's text, beside the next channel. */
const CHANNEL_ENDS = ['<|end|>', '<|return|>', '<|call|>', '<|start|>'];
const THINK = '<think>';
const THOUGHT = '</think>';

/**
 * What people see of an answer (CLaaS, B1): of one in channels the final one, without what it thought, trimmed. An end of thinking without a
 * beginning cuts what stands before it. Each character is looked at a few times, whatever the text.
 */
export function visibleText(raw: string): string {
  return withoutThoughts(finalChannel(raw)).trim();
}

/** By which an answer is found again (CLaaS, B2): SHA-256 of what people see of it, each run of white space as one space; 64 hex. */
export function textHash(raw: string): string {
  return sha256(visibleText(raw).replace(/\s+/g, ' ').trim()).toString('hex');
}

/** All of a text without channels; nothing where there are channels and none is final. */
function finalChannel(raw: string): string {
  const [, ...channels] = raw.split(CHANNEL);
  if (channels.length === 0) return raw;
  return channels.map(saidFinally).join('');
}

/** @param channel from its name on, as in `final <|constrain|>json<|message|>{}<|return|>` */
function saidFinally(channel: string): string {
  const at = channel.indexOf(MESSAGE);
  const name = at < 0 ? '' : (channel.slice(0, Math.min(at, 100)).trim().split(/[\s<]/, 1)[0] ?? '');
  if (name !== 'final') return '';
  const said = channel.slice(at + MESSAGE.length);
  const ends = CHANNEL_ENDS.map((mark) => said.indexOf(mark)).filter((end) => end >= 0);
  return said.slice(0, Math.min(said.length, ...ends));
}

function withoutThoughts(text: string): string {
  let kept = '';
  let from = 0;
  let start = 0;
  for (;;) {
    const end = text.indexOf(THOUGHT, from);
    if (end < 0) return kept + text.slice(from);
    if (start >= 0 && start <= from) start = text.indexOf(THINK, from);
    const isOrphan = start < 0 || start > end;
    kept = isOrphan ? '' : kept + text.slice(from, start);
    from = end + THOUGHT.length;
  }
}
