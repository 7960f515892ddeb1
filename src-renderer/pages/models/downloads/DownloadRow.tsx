import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { Meter } from '../../../components/Meter.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { DownloadActions } from './DownloadActions.tsx';
import { DownloadProblem } from './DownloadProblem.tsx';
import { DOWNLOAD_COLOURS } from './download-facts.ts';

/** One download: how far, how fast, from where; what went wrong stands below it. */
export function DownloadRow({ download, title }: { download: Download; title: string }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const { state, bytes, received, bytesPerSecond, secondsLeft, sources, problem } = download;
  const share = bytes ? received / bytes : 0;
  const moves = state === 'downloading';
  const names = sources.map((source) => (source === 'peers' ? t('downloads.peers') : source));
  const second = moves && names.length > 0 ? t('downloads.from', { sources: names.join(', ') }) : t(`state.${state}`);
  const of = bytes === null ? 'downloads.some' : 'downloads.of';
  return (
    <>
      <tr className={`${classes.row} ${problem ? classes.noted : ''}`}>
        <th scope="row" className={classes.brief}>
          <span className={classes.name}>{title}</span>
          <span className={classes.sub} role={moves ? undefined : 'status'}>
            {second}
          </span>
        </th>
        <td className={classes.memory}>
          <Meter
            parts={[{ share, colour: DOWNLOAD_COLOURS[state] }]}
            label={t('downloads.progress', { name: title })}
          />
          <span className={`num ${classes.sub}`}>
            {t(of, { received: format.bytes(received), bytes: format.bytes(bytes ?? 0) })}
          </span>
        </td>
        <td className={`num ${classes.num} ${classes.wide}`}>{moves ? format.rate(bytesPerSecond) : '–'}</td>
        <td className={`num ${classes.num} ${classes.wide}`}>
          {moves && secondsLeft !== null ? format.duration(secondsLeft * 1_000) : '–'}
        </td>
        <td className={classes.action}>
          <DownloadActions download={download} title={title} compact />
        </td>
      </tr>
      {problem && (
        <tr className={classes.note}>
          <td colSpan={5}>
            <div className={classes.problem}>
              <DownloadProblem download={download} problem={problem} />
            </div>
          </td>
        </tr>
      )}
    </>
  );
}
