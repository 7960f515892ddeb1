import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say, sentence } from '../../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../../base/foreign-text.ts';
import { MOST_REASON_CHARS } from './limits.ts';
import type { Why } from './messages.ts';
import { Nonsense } from './nonsense.ts';

/** This node does not train for that one, or not now. */
export class Refusal extends Error {
  readonly why: Why;

  constructor(why: Why) {
    super(why.reason);
    this.why = why;
  }
}

/** What speaks against it now, in words for the other node. */
export function noTime(against: readonly Saying[]): Refusal {
  return new Refusal({ reason: 'no-time', text: cut(against.map(sentence).join(' ')) });
}

/** What the other node hears of an error here. What is not meant for others (paths, stack, cause) stays here. */
export function whyOf(error: unknown): Why {
  if (error instanceof Refusal) return error.why;
  if (error instanceof Nonsense) return { reason: 'nonsense', text: cut(error.message) };
  const { code, message, retryable } = QuarryError.from(error);
  if (code === 'INTERNAL') return { reason: 'failed', code };
  return { reason: 'failed', code, text: cut(message), retryable };
}

/** The error that it is for whoever wanted to train. @param node what the other node is called */
export function errorOf({ reason, text = '', code, retryable = false, wants, has }: Why, node: string): QuarryError {
  const why = foreignLine(text);
  switch (reason) {
    case 'not-allowed':
      return new QuarryError({
        code: 'UNAUTHORIZED',
        message: say('remoteTraining.notAllowed', { node }),
        hint: say('remoteTraining.allowThere'),
      });
    case 'no-model':
      return new QuarryError({
        code: 'MODEL_NOT_FOUND',
        message: say('remoteTraining.noModel', { node }),
        hint: say('remoteTraining.downloadThere'),
      });
    case 'no-time':
      return new QuarryError({
        code: 'OVERLOADED',
        message: say('remoteTraining.noTime', { node, why }),
        retryable: true,
      });
    case 'busy':
      return new QuarryError({ code: 'OVERLOADED', message: say('remoteTraining.busy', { node }), retryable: true });
    case 'no-memory':
      return new QuarryError({
        code: 'OUT_OF_MEMORY',
        message: say('remoteTraining.doesNotFit', { node, wants: wants ?? 0, has: has ?? 0 }),
        hint: say('remoteTraining.fits'),
      });
    case 'gone':
      return lost(node);
    case 'nonsense':
      return new QuarryError({ code: 'PROTOCOL', message: say('remoteTraining.notUnderstood', { node, why }) });
    case 'failed': {
      const message = why ? say('remoteTraining.failed', { node, why }) : say('remoteTraining.failedLog', { node });
      return new QuarryError({ code: code ?? 'INTERNAL', message, retryable });
    }
  }
}

/** The other node is gone, or has forgotten this training: it goes on later from what was saved last. */
export function lost(node: string): QuarryError {
  return new QuarryError({ code: 'WORKER_LOST', message: say('remoteTraining.lost', { node }), retryable: true });
}

/** The other node can be heard, and does not get on: as good as gone. */
export function stuck(node: string): QuarryError {
  return new QuarryError({ code: 'WORKER_LOST', message: say('remoteTraining.stuck', { node }), retryable: true });
}

/** What the other node says is no such thing. */
export function nonsense(node: string, cause: Nonsense): QuarryError {
  const message = say('remoteTraining.nonsense', { node, why: cause.message });
  return new QuarryError({ code: 'PROTOCOL', message }, { cause });
}

function cut(text: string): string {
  return foreignLine(text).slice(0, MOST_REASON_CHARS);
}
