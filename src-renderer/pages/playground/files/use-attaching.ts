import { useEffect, useRef, useState } from 'react';
import { draftOf, setDraft } from '../composer/drafts.ts';
import { attach, type Unfit } from './attach.ts';
import { type PdfProgress, readPdf } from './read-pdf.ts';

/** Files on their way into a question. */
export interface Attaching {
  /** The PDF that is being read. */
  reading: ({ name: string } & PdfProgress) | undefined;
  /** The file that could not be taken last, and why. */
  unfit: { name: string; why: Unfit } | undefined;
  /** Files that come while others are read wait for them. */
  add: (files: readonly File[]) => void;
  /** Gives up what is being read, and what waits. */
  cancel: () => void;
  forgetUnfit: () => void;
}

/** @param id whose draft they go to */
export function useAttaching(id: string): Attaching {
  const [reading, setReading] = useState<Attaching['reading']>();
  const [unfit, setUnfit] = useState<Attaching['unfit']>();
  const turn = useRef(Promise.resolve());
  const giveUp = useRef(new AbortController());
  useEffect(() => {
    giveUp.current = new AbortController();
    return () => giveUp.current.abort();
  }, []);
  const take = async (files: readonly File[], signal: AbortSignal) => {
    const pdf = (file: Blob, name: string) => {
      setReading({ name, done: 0, total: 0 });
      return readPdf(file, { signal, onPage: (progress) => setReading({ name, ...progress }) });
    };
    try {
      signal.throwIfAborted();
      const names = files.map(({ name }) => name);
      const read = await attach(files, names, draftOf(id).files, pdf);
      setDraft(id, { ...draftOf(id), files: read.files });
      setUnfit(read.unfit);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      setReading(undefined);
    }
  };
  return {
    reading,
    unfit,
    add: (files) => {
      const { signal } = giveUp.current;
      turn.current = turn.current.then(() => take(files, signal));
    },
    cancel: () => {
      giveUp.current.abort();
      giveUp.current = new AbortController();
    },
    forgetUnfit: () => setUnfit(undefined),
  };
}
