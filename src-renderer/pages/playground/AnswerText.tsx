import { Text } from '@mantine/core';
import { lazy, memo, Suspense } from 'react';
import { markdownBlocks } from './markdown-blocks.ts';

const Markdown = lazy(async () => ({ default: (await import('./Markdown.tsx')).Markdown }));
const Block = memo(Markdown);

/** An answer with its headings, lists and code. While it grows, only its last block is read again. */
export function AnswerText({ text, growing = false }: { text: string; growing?: boolean }) {
  const blocks = growing ? markdownBlocks(text) : [text];
  return (
    <Suspense fallback={<Text style={{ whiteSpace: 'pre-wrap' }}>{text}</Text>}>
      {blocks.map((block, index) => (
        <Block key={index} text={block} />
      ))}
    </Suspense>
  );
}
