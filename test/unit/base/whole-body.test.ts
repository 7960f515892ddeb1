import { expect, it } from 'vitest';
import { wholeBody } from '../../../src-main/base/whole-body.ts';

const tooMuch = () => new Error('too much');

it('gives all of a body, in its order, up to the last byte that may be', async () => {
  expect(await wholeBody(new Response('abc'), 3, tooMuch)).toEqual(Buffer.from('abc'));
  expect(await wholeBody(new Response(null), 3, tooMuch)).toEqual(Buffer.alloc(0));
});

it('reads no further than to know that it is too much', async () => {
  let read = 0;
  const endless = new ReadableStream({
    pull(controller) {
      read++;
      controller.enqueue(new Uint8Array(2));
    },
  });
  await expect(wholeBody(new Response(endless), 5, tooMuch)).rejects.toThrow('too much');
  expect(read).toBeLessThan(6);
});
