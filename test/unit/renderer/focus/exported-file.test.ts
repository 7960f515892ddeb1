import { expect, it } from 'vitest';
import { nameOf } from '../../../../src-renderer/pages/focus/review/exported-file.ts';

const NAMED = { id: '0f3a91c2-77aa-4b7e-9c51-2f6d1f0e8a11', title: 'Mail: sort/answer', container: 'mp4' } as const;

it('an exported file is called by the title, unless the file shall not tell it', () => {
  expect(nameOf({ ...NAMED, metadata: true })).toBe('Mail sortanswer.mp4');
  expect(nameOf({ ...NAMED, title: '…', metadata: true })).toBe('recording.mp4');
  expect(nameOf({ ...NAMED, metadata: false })).toBe('recording-0f3a91c2.mp4');
});
