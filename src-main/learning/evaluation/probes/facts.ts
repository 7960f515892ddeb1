import { names } from './matcher.ts';
import { asked, PROBE_SYSTEM, type Probe } from './probe.ts';

/** Of an answer to a short question so much is read: SmolLM2-135M names the answer within 16 tokens or not at all. */
const MOST_TOKENS = 16;

/** Questions of general knowledge, and what is right. The first {@link QUICK_FACTS} are asked every few steps. */
const FACTS: readonly (readonly [question: string, ...right: string[]])[] = [
  ['What is the capital of France?', 'Paris'],
  ['How many days are in a week?', '7'],
  ['What is the opposite of hot?', 'cold', 'cool'],
  ['What is the chemical formula of water?', 'H2O', 'H₂O'],
  ['What is frozen water called?', 'ice'],
  ['In which country are the pyramids of Giza?', 'Egypt'],
  ['How many legs does a spider have?', '8'],
  ['Which organ pumps blood through the body?', 'heart'],
  ['What is the capital of Japan?', 'Tokyo'],
  ['What is the capital of Italy?', 'Rome'],
  ['What is the capital of Spain?', 'Madrid'],
  ['What is the capital of England?', 'London'],
  ['What is the capital of Germany?', 'Berlin'],
  ['How many months are in a year?', '12'],
  ['How many hours are in a day?', '24'],
  ['Which planet do we live on?', 'Earth'],
  ['What do bees make?', 'honey', 'beeswax', 'wax'],
  ['Which animal says meow?', 'cat', 'cats'],
  ['What is the currency of Japan?', 'yen'],
  ['Which ocean is the largest?', 'Pacific', 'Pacific Ocean'],
  ['What is the tallest mountain in the world?', 'Everest', 'Mount Everest'],
  ['Which language is spoken in Brazil?', 'Portuguese'],
  ['What do cows produce that people drink?', 'milk'],
  ['At how many degrees Celsius does water freeze?', '0'],
  ['Which season comes after winter?', 'spring'],
  ['What is the largest animal on Earth?', 'blue whale', 'whale'],
  ['Who painted the Mona Lisa?', 'da Vinci', 'Leonardo'],
  ['Who wrote Romeo and Juliet?', 'Shakespeare'],
  ['Which metal has the symbol Fe?', 'iron'],
  ['What is the largest planet in our solar system?', 'Jupiter'],
  ['Who was the first president of the United States?', 'Washington'],
  ['How many minutes are in an hour?', '60'],
];

export const QUICK_FACTS = 8;

/** Own short facts: {@link FACTS} as probes. A 135M model knows about two thirds of them. */
export const FACT_PROBES: readonly Probe[] = FACTS.map(([question, ...right]) => factProbe(question, right));

/** A question whose answer names something. */
export function factProbe(question: string, right: readonly string[], kind: 'fact' | 'own' = 'fact'): Probe {
  return {
    id: `${kind}: ${question}`,
    kind,
    messages: asked(PROBE_SYSTEM, question),
    maxTokens: MOST_TOKENS,
    check: async ({ text }) => (names(text, right) ? 1 : 0),
  };
}
