/** By which of a node's own doors a question came whose answer may be kept. */
export const ANSWER_DOORS = ['api', 'playground', 'terminal'] as const;
export type AnswerDoor = (typeof ANSWER_DOORS)[number];

/** Under which id an answer may be kept, so that feedback can refer to it, and where it was asked for. */
export interface KeepAs {
  id: string;
  door: AnswerDoor;
}

/** Under which id the answer of a conversation is kept. @param turn number of the answer's turn: it never means another one */
export const answerOfTurn = (turn: number): string => `turn-${turn}`;
