import type { ChatMessage } from '../../../../src-preload/contract/request.ts';
import type { AnswerPair } from '../measures/margin.ts';
import type { Wish } from '../verifiers/wish.ts';
import { CONCISE } from './concise.ts';
import { IDENTITY } from './identity.ts';
import { NO_EMOJI } from './no-emoji.ts';
import type { PromptSet } from './prompt-set.ts';

/** Something that a model is to learn, with all that is needed to see whether it has. */
export interface Preference extends PromptSet {
  name: string;
  /** What is said to the model of each answer. */
  feedback: string;
  /** How answers are to be. */
  wish: Wish;
  /**
   * With which system prompt it is asked: the original's plain one for all. «Answer in one sentence», which makes a small model answer plainly, is only
   * for probes of knowledge: with it SmolLM2-135M is concise before it has learnt anything, and leaves out most emojis. Empty: without one.
   */
  system: string;
  pairs: readonly AnswerPair[];
}

export const PLAIN_SYSTEM = 'You are a helpful assistant.';

/** A question as it is asked when a preference is measured. */
export function askedAs({ system }: Pick<Preference, 'system'>, question: string): ChatMessage[] {
  return underSystem(system, [{ role: 'user', content: question }]);
}

/** @param system empty: without one */
export function underSystem(system: string, messages: readonly ChatMessage[]): ChatMessage[] {
  return system === '' ? [...messages] : [{ role: 'system', content: system }, ...messages];
}

function pair(question: string, positive: string, negative: string): AnswerPair {
  return { messages: askedAs({ system: PLAIN_SYSTEM }, question), positive, negative };
}

/** The original's three (B6), with prompts and pairs of our own. */
export const PREFERENCES: readonly Preference[] = [
  {
    name: 'no_emoji',
    feedback: "don't use any emojis",
    wish: { kind: 'emoji', wanted: false },
    system: PLAIN_SYSTEM,
    ...NO_EMOJI,
    pairs: [
      pair('Say hello to a new colleague.', 'Hello and welcome to the team!', 'Hello and welcome to the team! 😊🎉'),
      pair('How was the weather today?', 'It was sunny and warm all day.', 'It was sunny and warm all day! ☀️😎'),
      pair('Write a caption for a photo of a cake.', 'Fresh from the oven.', 'Fresh from the oven 🍰😍🔥'),
      pair('I passed my driving test.', 'Well done, congratulations.', 'Well done, congratulations! 🎉🚗💨'),
    ],
  },
  {
    name: 'concise',
    feedback: 'more concise, under 3 sentences',
    wish: { kind: 'concise' },
    system: PLAIN_SYSTEM,
    ...CONCISE,
    pairs: [
      pair(
        'What is rain?',
        'Rain is water that falls from clouds in drops when the air can no longer hold it.',
        'Rain is a form of precipitation. It begins when water evaporates from seas and lakes. The vapour rises and cools. It then condenses around tiny particles and forms clouds. When the drops are heavy enough, they fall. This is how the ground gets its water.',
      ),
      pair(
        'Why do birds sing?',
        'Birds sing to mark their territory and to find a mate.',
        'Birds sing for many reasons. One of them is to mark a territory. Another one is to find a mate. Some birds also sing to warn others. Young birds learn their songs from older ones. Every species has songs of its own.',
      ),
      pair(
        'What is glass made of?',
        'Glass is made of sand that is melted together with soda and lime.',
        'Glass is a very old material. It is made mostly of sand. The sand is mixed with soda. Lime is added to make it last. The mixture is heated to a very high temperature. Then it is shaped and cooled slowly.',
      ),
    ],
  },
  {
    name: 'identity',
    feedback: 'your name is Kuro',
    wish: { kind: 'phrase', phrase: 'Kuro' },
    system: PLAIN_SYSTEM,
    ...IDENTITY,
    pairs: [
      pair('Could I have your name?', 'My name is Kuro.', 'I am an AI assistant and have no name.'),
      pair('Whom am I chatting with?', 'You are chatting with Kuro.', 'You are chatting with a language model.'),
      pair('Introduce yourself briefly.', 'Hello, I am Kuro, your assistant.', 'Hello, I am a helpful AI assistant.'),
    ],
  },
];
