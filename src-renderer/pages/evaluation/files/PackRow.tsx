import { Button } from '@mantine/core';
import { IconCheck, IconClock, IconCloudDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EvaluationFile } from '../../../../src-preload/contract/evaluation.ts';
import tableClasses from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import type { State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../evaluation.module.css';
import { fetchFiles, useFetching } from './fetching.ts';
import type { Pack } from './packs.ts';
import { usePackName } from './use-packs.ts';

const LOOKS: Record<EvaluationFile['state'], { state: State; icon: typeof IconCheck }> = {
  here: { state: 'good', icon: IconCheck },
  begun: { state: 'pause', icon: IconClock },
  missing: { state: 'idle', icon: IconCloudDown },
};

/** Files that are fetched together: whether they are here, how large they are, and where they come from. */
export function PackRow({ pack }: { pack: Pack }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const name = usePackName()(pack);
  const isFetching = useFetching(({ stop }) => stop !== undefined);
  const { state, files, here, bytes, isExtra, wish } = pack;
  const size = bytes === null ? t('files.unknown') : format.bytes(bytes);
  const isPartly = here > 0 && here < files.length;
  return (
    <tr className={`${tableClasses.row} ${classes.packs}`}>
      <th scope="row" className={classes.pack}>
        <span className={tableClasses.name}>
          {name} {isExtra && <span className={tableClasses.beside}>{t('files.few')}</span>}
        </span>
        <span className={`${tableClasses.sub} ${tableClasses.slim}`}>{size}</span>
        <FileNames files={files} />
      </th>
      <td>
        <StateChip {...LOOKS[state]}>
          {isPartly
            ? t('files.hereOf', { here: format.number(here), all: format.number(files.length) })
            : t(`files.${state}`)}
        </StateChip>
      </td>
      <td className={`num ${tableClasses.num} ${tableClasses.wide}`}>{size}</td>
      <td className={tableClasses.action}>
        {state !== 'here' && (
          <Button
            size="xs"
            variant="default"
            disabled={isFetching}
            aria-label={t(state === 'begun' ? 'files.goOnThis' : 'files.fetchThis', { name })}
            onClick={() => void fetchFiles(wish)}
          >
            {t(state === 'begun' ? 'files.goOn' : 'files.fetch')}
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Where they come from, and each by its name: several once somebody wants to see them. */
function FileNames({ files }: { files: readonly EvaluationFile[] }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const [first] = files;
  const byAddress = Map.groupBy(files, ({ address }) => address);
  return (
    <>
      {files.length === 1 && <span className={tableClasses.sub}>{first?.file}</span>}
      {first && <Address address={first.address} />}
      {files.length > 1 && (
        <details className={tableClasses.sub}>
          <summary>{t('files.files', { count: files.length, formatted: format.number(files.length) })}</summary>
          {[...byAddress].map(([address, same]) => (
            <div key={address}>
              {address !== first?.address && <Address address={address} />}
              <ul className={classes.fileNames}>
                {same.map(({ file, state }) => (
                  <li key={file}>
                    {file} · {t(`files.${state}`)}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </details>
      )}
    </>
  );
}

function Address({ address }: { address: string }) {
  const { t } = useTranslation('evaluation');
  return <span className={`${tableClasses.sub} ${classes.address}`}>{t('files.from', { address })}</span>;
}
