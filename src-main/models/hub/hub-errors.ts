import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, wordsOf } from '../../../src-preload/contract/saying.ts';
import { SourceError } from '../downloads/byte-source.ts';

/** What was asked of the hub. */
export interface HubQuestion {
  /** «huggingface.co». */
  host: string;
  /** Absent for a search. */
  repository?: string;
  /** A token was sent along. */
  hasToken: boolean;
}

/** The hub's answer is not what its API says: too long, no JSON, or of another shape. */
export class HubNonsense extends Error {}

/** It is too long: less may be asked for. */
export class HubTooMuch extends HubNonsense {}

/** What went wrong with a question to the hub: named, with a way out. */
export function explainHubError(error: unknown, question: HubQuestion): QuarryError {
  if (error instanceof QuarryError) return error;
  if (error instanceof HubNonsense) return nonsense(question, error);
  if (error instanceof DOMException && error.name === 'TimeoutError') return slow(question, error);
  if (error instanceof Error && error.name === 'AbortError') {
    return new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') }, { cause: error });
  }
  if (!(error instanceof SourceError)) return QuarryError.from(error);
  switch (error.fault) {
    case 'offline':
      return offline(question, error);
    case 'forbidden':
      return forbidden(question, error);
    case 'missing':
      return missing(question, error);
    default:
      return error.reason === 'busy' ? patience(question, error) : broken(error);
  }
}

function offline({ host }: HubQuestion, cause: SourceError): QuarryError {
  const words = { message: say('hub.offline', { host }), hint: say('hub.whenOnline') };
  return new QuarryError({ code: 'DOWNLOAD_FAILED', ...words }, { cause });
}

/** The Hub answers 401 for what there is not, too: it tells strangers nothing of private repositories. */
function forbidden({ host, repository, hasToken }: HubQuestion, cause: SourceError): QuarryError {
  const hint = say(hasToken ? 'hub.checkToken' : 'hub.enterToken');
  const message =
    repository === undefined ? say('hub.refuses', { host }) : say('hub.notShown', { host, name: repository });
  return new QuarryError({ code: 'UNAUTHORIZED', message, hint }, { cause });
}

function missing({ host, repository }: HubQuestion, cause: SourceError): QuarryError {
  if (repository === undefined) return noHub(host, cause);
  const words = { message: say('hub.noRepository', { host, name: repository }), hint: say('hub.searchForIt') };
  return new QuarryError({ code: 'MODEL_NOT_FOUND', ...words }, { cause });
}

function patience({ host, hasToken }: HubQuestion, cause: SourceError): QuarryError {
  const { retryAfterMs } = cause;
  const hint = say(hasToken ? 'hub.waitAMinute' : 'hub.waitOrToken');
  const init = { code: 'RATE_LIMIT', message: say('hub.tooOften', { host }), hint } as const;
  return new QuarryError({ ...init, ...(retryAfterMs !== undefined && { retryAfterMs }) }, { cause });
}

/** It has a trouble of its own, or leads where nobody follows. */
function broken(cause: SourceError): QuarryError {
  const hint: Saying = say(cause.fault === 'server' ? 'hub.later' : 'hub.checkEndpoint');
  return new QuarryError({ code: 'DOWNLOAD_FAILED', message: wordsOf(cause, 'message'), hint }, { cause });
}

function slow({ host }: HubQuestion, cause: unknown): QuarryError {
  const words = { message: say('hub.tooSlow', { host }), hint: say('hub.later') };
  return new QuarryError({ code: 'DOWNLOAD_FAILED', ...words }, { cause });
}

function nonsense({ host }: HubQuestion, cause: unknown): QuarryError {
  return noHub(host, cause);
}

function noHub(host: string, cause: unknown): QuarryError {
  const words = { message: say('hub.noHub', { host }), hint: say('hub.checkEndpoint') };
  return new QuarryError({ code: 'PROTOCOL', ...words }, { cause });
}
