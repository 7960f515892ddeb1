import { expect, it } from 'vitest';
import { jpegPart, plainAnswer } from '../../../../src-main/inference/remote/picture-questions.ts';

const said = (message: object, finish: string | null = 'stop') =>
  plainAnswer({ choices: [{ message, finish_reason: finish }] });

it('tells an answer, a refusal and what was cut apart', () => {
  expect(said({ content: 'A bird.' })).toEqual({ text: 'A bird.', refusal: null, isCut: false });
  expect(said({ content: 'A bi' }, 'length')).toEqual({ text: 'A bi', refusal: null, isCut: true });
  expect(said({ content: null, refusal: 'No.' })).toEqual({ text: '', refusal: 'No.', isCut: false });
  expect(said({ content: '' }, 'content_filter')).toMatchObject({ refusal: '' });
  expect(said({ content: '', refusal: '' }, null)).toMatchObject({ text: '', refusal: null });
});

it.each([undefined, 'text', {}, { choices: [] }, { choices: [{ message: { content: 7 } }] }])(
  'what has another form is no answer: %j',
  (body) => {
    expect(plainAnswer(body)).toBeUndefined();
  },
);

it('gives a picture as a data address', () => {
  expect(jpegPart(Uint8Array.of(255, 216))).toEqual({
    ...{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9g=' } },
  });
});
