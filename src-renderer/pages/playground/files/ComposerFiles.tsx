import { CloseButton, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AskOptions, AttachedFile } from '../../../../src-preload/contract/conversations.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useNode } from '../../../state/node.ts';
import classes from '../playground.module.css';
import { AttachedFiles } from './AttachedFiles.tsx';
import { divided } from './attach.ts';
import { SearcherNote } from './SearcherNote.tsx';
import type { Attaching } from './use-attaching.ts';

interface ComposerFilesProps {
  files: readonly AttachedFile[];
  target: AskOptions['target'];
  attaching: Attaching;
  onChange: (files: AttachedFile[]) => void;
}

/** Above the question: its files, the one that is being read, and what will become of them. */
export function ComposerFiles({ files, target, attaching, onChange }: ComposerFilesProps) {
  const { t } = useTranslation('playground');
  const { reading, unfit, cancel } = attaching;
  const { long } = useDivided(files, target);
  const shown = files.map((file) => ({ name: file.name, chars: file.text.length, long: long.includes(file) }));
  return (
    <>
      <AttachedFiles files={shown} onRemove={(place) => onChange(files.filter((_, at) => at !== place))} />
      {reading && <Reading reading={reading} onCancel={cancel} />}
      {files.length > 0 && target === 'mesh' && (
        <p className={classes.fileNote}>{t(long.length > 0 ? 'file.passagesLeave' : 'file.wholeLeaves')}</p>
      )}
      {long.length > 0 && target === 'local' && <p className={classes.fileNote}>{t('file.passagesOnly')}</p>}
      {long.length > 0 && <SearcherNote />}
      {unfit && (
        <p className={classes.unfit} role="alert">
          {t(`file.${unfit.why}`, { name: unfit.name })}
        </p>
      )}
    </>
  );
}

/** Which files go whole, and which are searched, with whoever is asked now. */
export function useDivided(files: readonly AttachedFile[], target: AskOptions['target']) {
  const contextSize = useNode(({ status }) => status?.engine.model?.contextSize);
  return divided(files, target === 'local' ? contextSize : undefined);
}

function Reading({ reading, onCancel }: { reading: NonNullable<Attaching['reading']>; onCancel: () => void }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const { name, done, total } = reading;
  return (
    <div className={classes.files}>
      <div className={classes.reading} role="status">
        <Loader size={13} />
        <b title={name}>{name}</b>
        <span className="num">
          {total > 0 ? t('file.page', { page: format.number(done), pages: format.number(total) }) : t('file.opening')}
        </span>
        <CloseButton size="sm" onClick={onCancel} aria-label={t('file.cancel', { name })} />
      </div>
    </div>
  );
}
