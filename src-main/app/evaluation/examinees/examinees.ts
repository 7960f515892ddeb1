import type { EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import type { AskEvent, AskRequest } from '../../../../src-preload/contract/inference.ts';
import { MAX_REQUEST_BYTES } from '../../../../src-preload/contract/limits.ts';
import type { ChatMessage, GenerateRequest } from '../../../../src-preload/contract/request.ts';
import type { AnswerEvent } from '../../../inference/backend.ts';
import { answerOf, asked, inputOf, roughly } from './answered.ts';
import { type AddressNeeds, atAddress } from './at-address.ts';
import type { AxonNeeds } from './at-axon.ts';
import type { OpenedExaminee, OwnFit } from './opened-examinee.ts';
import { otherModel } from './other-model.ts';

export interface ExamineeNeeds extends AddressNeeds {
  ask(request: AskRequest, signal?: AbortSignal): AsyncIterable<AskEvent>;
  /** This node's own model, as it is, about a text of any length. */
  askLong(request: GenerateRequest, signal: AbortSignal): AsyncIterable<AnswerEvent>;
  /** This node's own model. @throws NOT_RUNNING where the node has no engine */
  own(): OwnModel;
  /** By what miners of a subnet are asked. */
  axons: AxonNeeds;
  /** The subnet that is set; undefined where none is. */
  netuid(): number | undefined;
}

export interface OwnModel {
  /** As the settings have it: a name or a path; undefined where that is left to the library. */
  named: string | undefined;
  /** What is known of what is loaded; undefined where its file is not this machine's. */
  fit(): Promise<OwnFit | undefined>;
  /** Loads it, until what is returned is disposed of. @throws what loading throws; the signal's reason */
  load(signal: AbortSignal): Promise<Disposable>;
  /** What is loaded. */
  is(): { name: string; sha256?: string; contextSize: number; isContextGuessed?: true; tiny?: boolean } | undefined;
  /** Tokens of a question; undefined where nobody can count them. */
  count(input: { messages: ChatMessage[] }): Promise<number | undefined>;
}

/** Whoever is to be asked. This node's model is loaded, and stays so until it is let go. @throws what loading throws; the signal's reason */
export async function openExaminee(
  needs: ExamineeNeeds,
  target: EvaluationTarget,
  signal: AbortSignal,
): Promise<OpenedExaminee> {
  if (target.kind === 'local') return await ownModel(needs, target, signal);
  if (target.kind === 'mesh') return onMesh(needs, target);
  if (target.kind === 'address') return await atAddress(needs, target, signal);
  const { atAxon } = await import('./at-axon.ts'); // what speaks to axons is large, and few need it
  return await atAxon(needs.axons, target, signal);
}

/** Who is meant now: of this node's own model, what the settings name; of a miner, the subnet that they name. */
export function namedTarget(
  { own, netuid }: Pick<ExamineeNeeds, 'own' | 'netuid'>,
  target: EvaluationTarget,
): EvaluationTarget {
  if (target.kind === 'axon') return named(target, 'netuid', target.at ? undefined : netuid());
  return target.kind === 'local' ? named(target, 'model', own().named) : target;
}

/** What was said is meant, and else what is set. */
function named<T extends object, Name extends keyof T>(target: T, name: Name, set: T[Name] | undefined): T {
  return target[name] !== undefined || set === undefined ? target : { ...target, [name]: set };
}

async function ownModel(
  { askLong, own }: ExamineeNeeds,
  { model: wanted }: Extract<EvaluationTarget, { kind: 'local' }>,
  signal: AbortSignal,
): Promise<OpenedExaminee> {
  const model = own();
  const loaded = await model.load(signal);
  const { name = '?', sha256 = null, contextSize = null, isContextGuessed = false, tiny = false } = model.is() ?? {};
  if (wanted !== undefined && wanted !== name && wanted !== model.named) {
    loaded[Symbol.dispose]();
    throw otherModel(wanted, name);
  }
  return {
    ...{ model: name, sha256, room: isContextGuessed ? null : contextSize, isBuiltIn: tiny },
    own: () => model.fit(),
    count: async (text) => (await model.count(inputOf(text))) ?? roughly(text),
    ask: ({ prompt }, { maxTokens, temperature, signal }) =>
      answerOf(askLong({ input: inputOf(prompt), ...asked(maxTokens, temperature) }, signal)),
    async [Symbol.asyncDispose]() {
      loaded[Symbol.dispose]();
    },
  };
}

/** Who answers may be another one each time; its tokenizer is elsewhere. */
function onMesh({ ask }: ExamineeNeeds, { model }: Extract<EvaluationTarget, { kind: 'mesh' }>): OpenedExaminee {
  return {
    ...{ model: model ?? 'mesh', sha256: null, room: null, mostBytes: MAX_REQUEST_BYTES },
    count: async (text) => roughly(text),
    ask: ({ prompt }, { maxTokens, temperature, signal }) =>
      answerOf(
        ask({ target: 'mesh', ...(model && { model }), ...inputOf(prompt), ...asked(maxTokens, temperature) }, signal),
      ),
    async [Symbol.asyncDispose]() {},
  };
}
