import { useEffect, useRef, useState } from 'react';
import type { EntryFilter } from '../../../../src-preload/contract/credits.ts';
import { client } from '../../../api/client.ts';
import { saveFile } from '../../../components/saving/save-file.ts';
import { type CsvProgress, csvFileName, gatherCsv } from './csv.ts';

export type CsvState =
  | { state: 'idle' | 'cancelled' }
  | { state: 'running' | 'done'; progress: CsvProgress; fileName: string }
  | { state: 'failed'; error: unknown };

/** Exports the ledger to a file, one export at a time; leaving the page cancels it. */
export function useCsvExport() {
  const [csv, setCsv] = useState<CsvState>({ state: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (filter: EntryFilter) => {
    const control = new AbortController();
    const { signal } = control;
    running.current = control;
    const fileName = csvFileName(new Date());
    let progress: CsvProgress = { rows: 0, bytes: 0 };
    setCsv({ state: 'running', progress, fileName });
    try {
      const pieces = await client.credits.csv(filter, { signal });
      const content = await gatherCsv(pieces, signal, (now) => {
        progress = now;
        setCsv({ state: 'running', progress, fileName });
      });
      saveFile(content, fileName);
      setCsv({ state: 'done', progress, fileName });
    } catch (error) {
      setCsv(signal.aborted ? { state: 'cancelled' } : { state: 'failed', error });
    }
  };
  return { csv, start, cancel: () => running.current?.abort() };
}
