import { Popover, UnstyledButton } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Passage, Sources } from '../../../../src-preload/contract/conversations.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../playground.module.css';

/** What of long files an answer was given, file by file, with the numbers that it may name; each opens what it says. */
export function SourceList({ sources }: { sources: Sources }) {
  const { t } = useTranslation('playground');
  const numbered = sources.passages.map((passage, place) => ({ passage, number: place + 1 }));
  const files = [...Map.groupBy(numbered, ({ passage }) => passage.file)];
  return (
    <section className={classes.sources} aria-label={t('source.title')}>
      <span>{t(sources.by === 'words' ? 'source.byWords' : 'source.title')}</span>
      {files.map(([file, passages]) => (
        <div key={file}>
          <IconFileText size={15} stroke={1.6} aria-hidden />
          <b title={file}>{file}</b>
          <ol>
            {passages.map(({ passage, number }) => (
              <li key={number}>
                <Source passage={passage} number={number} />
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

function Source({ passage, number }: { passage: Passage; number: number }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const { file, page, text } = passage;
  const place = page === null ? t('source.passage', { number }) : t('source.page', { page: format.number(page) });
  return (
    <Popover position="top-start" width={420} trapFocus withinPortal>
      <Popover.Target>
        <UnstyledButton className={classes.source} aria-label={`${file} · ${place}`}>
          <i className="num">{number}</i> {place}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.passage} maw="calc(100vw - 32px)">
        <h3>{`${file} · ${place}`}</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and somebody may have no pointer */}
        <p tabIndex={0}>{text}</p>
      </Popover.Dropdown>
    </Popover>
  );
}
