import { z } from 'zod';

/** What a model says to a question that was asked as a whole. */
export interface PlainAnswer {
  text: string;
  /** In its own words why it says nothing, which may be none; null where it has answered. */
  refusal: string | null;
  /** Whether it was not to say more. */
  isCut: boolean;
}

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1)
    .max(8),
});

/** What `chat/completions` answered. @returns undefined for an answer in another form */
export function plainAnswer(body: unknown): PlainAnswer | undefined {
  const { data } = completionSchema.safeParse(body);
  const [choice] = data?.choices ?? [];
  if (!choice) return undefined;
  const { message, finish_reason: finish } = choice;
  const isRefused = Boolean(message.refusal) || finish === 'content_filter';
  return {
    text: message.content ?? '',
    refusal: isRefused ? (message.refusal ?? '') : null,
    isCut: finish === 'length',
  };
}

/** A picture among the parts of a question: as a data address, so that no server has to fetch it. */
export function jpegPart(jpeg: Uint8Array): object {
  const url = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`;
  return { type: 'image_url', image_url: { url } };
}
