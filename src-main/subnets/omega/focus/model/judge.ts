/** A piece of a question: text, or a picture. */
export type JudgePart = { type: 'text'; text: string } | { type: 'picture'; jpeg: Uint8Array };

export interface JudgeQuestion {
  /** Names the answer's form: letters and digits. */
  name: string;
  /** What the one who answers is to do: ours alone, nothing of a recording is in it. */
  system: string;
  parts: readonly JudgePart[];
  /** JSON Schema that the answer is to follow. */
  schema: object;
}

/** A model that answers questions about recordings, wherever it runs. */
export interface Judge {
  readonly model: string;
  /** Where it runs, as host and port. */
  readonly host: string;
  /**
   * @returns the answer's text, which nobody has looked at
   * @throws QuarryError, `retryable` where another try may help; CANCELLED
   */
  ask(question: JudgeQuestion, signal: AbortSignal): Promise<string>;
}
