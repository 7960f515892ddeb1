import { Text } from '@mantine/core';
import { Component, lazy, memo, type ReactNode, Suspense, useState } from 'react';
import classes from '../playground.module.css';
import { answerBlocks, answerParts, type Block, type Part } from './answer-blocks.ts';

const Markdown = memo(lazy(async () => ({ default: (await import('./Markdown.tsx')).Markdown })));
const Plain = memo(PlainText);

/** An answer with its headings, lists and code. While it grows, only its last block is read again, and at its end nothing. */
export function AnswerText({ text, growing = false }: { text: string; growing?: boolean }) {
  const [reader] = useState(() => new Reader());
  const parts = reader.read(text, growing);
  const plain = parts.map((part, index) => <Plain key={index} text={part.text} />);
  return (
    <div className={growing ? `${classes.prose} ${classes.growing}` : classes.prose}>
      <PlainIfBroken plain={plain}>
        <Suspense fallback={plain}>
          {parts.map(({ text, kind }, index) =>
            kind === 'plain' ? <Plain key={index} text={text} /> : <Markdown key={index} text={text} />,
          )}
        </Suspense>
      </PlainIfBroken>
    </div>
  );
}

/** The blocks of the answer so far: a page is drawn more often than an answer changes. */
class Reader {
  #text = '';
  /** Once an answer was read in pieces it stays so: to read a long one as a whole takes a while. */
  #inPieces = false;
  #blocks: Block[] = [];
  #parts: Part[] = [];

  read(text: string, growing: boolean): Part[] {
    const inPieces = this.#inPieces || growing;
    if (text === this.#text && inPieces === this.#inPieces) return this.#parts;
    this.#blocks = answerBlocks(text, text.startsWith(this.#text) ? this.#blocks : []);
    this.#parts = answerParts(this.#blocks, inPieces);
    this.#text = text;
    this.#inPieces = inPieces;
    return this.#parts;
  }
}

/** Letter for letter, as it came. */
function PlainText({ text }: { text: string }) {
  return <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text.replace(/\r?\n$/, '')}</Text>;
}

/** Whatever an answer makes of its reader, it is shown, and the others of its conversation stay as they are. */
class PlainIfBroken extends Component<{ plain: ReactNode; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? this.props.plain : this.props.children;
  }
}
