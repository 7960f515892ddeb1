import { useTranslation } from 'react-i18next';
import { isTight, neededOf } from '../../../../src-preload/contract/fit-room.ts';
import type { ModelFit } from '../../../../src-preload/contract/models.ts';
import { Meter } from '../../../components/Meter.tsx';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { grouped, isSlow } from '../model/fit-group.ts';
import { useMemoryText, useSpeedText } from '../model/memory-text.ts';
import { type ModelRow, shortly, speedShown } from '../model/model-rows.ts';
import { ModelAction } from './ModelAction.tsx';

interface ModelTableProps {
  title: string;
  rows: readonly ModelRow[];
  /** Name of the model whose details are shown. */
  selected: string | undefined;
  onSelect: (name: string) => void;
  /** One list, with what each takes on the drive; default: divided by how well each runs here. */
  plain?: boolean;
}

/** Models, one a line: what each is good at, what memory it takes, how fast it is, what it would bring. */
export function ModelTable({ title, rows, selected, onSelect, plain = false }: ModelTableProps) {
  const { t } = useTranslation('models');
  const onGpu = rows.some(({ fit }) => fit?.room.of === 'vram');
  // Before a node has served anybody, nothing can be said of points: what a download takes is told instead.
  const measure = plain ? 'size' : rows.some(({ forecast }) => forecast) ? 'income' : 'bytes';
  const groups = plain ? [{ group: undefined, rows }] : grouped(rows);
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{t('column.name')}</th>
            <th scope="col">{t(onGpu ? 'memory.gpu' : 'memory.own')}</th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('column.speed')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t(`column.${measure}`)}
            </th>
            <th scope="col" aria-label={t('column.actions')} />
          </tr>
        </thead>
        {groups.map(({ group, rows: some }) => (
          <tbody key={group ?? 'all'}>
            {group && (
              <tr className={classes.group}>
                <th scope="rowgroup" colSpan={5}>
                  {t(`group.${group}`)}
                </th>
              </tr>
            )}
            {some.map((row) => (
              <Row
                key={row.name}
                row={row}
                measure={measure}
                onGpu={onGpu}
                selected={row.name === selected}
                onSelect={() => onSelect(row.name)}
              />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface RowProps {
  row: ModelRow;
  /** What the last column of figures tells. */
  measure: 'size' | 'income' | 'bytes';
  /** Most models run on a graphics card here: those that do not say so. */
  onGpu: boolean;
  selected: boolean;
  onSelect: () => void;
}

function Row({ row, measure, onGpu, selected, onSelect }: RowProps) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const speedText = useSpeedText();
  const { title, fit, bytes, forecast } = row;
  const speed = speedShown(row);
  const inTable = ({ measured, tokensPerSecond }: ModelFit['speed']) =>
    measured ? speedText(tokensPerSecond) : t('fit.about', { rate: speedText(tokensPerSecond) });
  const points = forecast ? format.number(forecast.perDay.likely) : t('income.unknown');
  return (
    <PickRow name={title} below={useSecondLine(row)} selected={selected} onSelect={onSelect} dim={fit?.runs === 'no'}>
      <td className={classes.memory}>
        <Memory row={row} onGpu={onGpu} />
      </td>
      <td className={`num ${classes.num} ${classes.wide}`} data-slow={(fit && speed && isSlow(fit)) || undefined}>
        {speed ? inTable(speed) : '–'}
      </td>
      <td className={`num ${classes.num} ${classes.wide}`}>
        {measure === 'income' ? points : bytes !== null && format.bytes(bytes)}
      </td>
      <td className={classes.action}>
        <ModelAction row={row} />
      </td>
    </PickRow>
  );
}

/** What it is good at; where nobody says, what it is. */
function useSecondLine({ local, description, quantisation }: ModelRow): string {
  const { t } = useTranslation('models');
  if (local?.tiny) return t('local.tiny');
  return shortly(description) || [quantisation, local && t(`origin.${local.origin}`)].filter(Boolean).join(' · ');
}

function Memory({ row: { fit }, onGpu }: { row: ModelRow; onGpu: boolean }) {
  const { t } = useTranslation('models');
  const memoryText = useMemoryText();
  if (!fit) return <span className={classes.sub}>{t('memory.unknown')}</span>;
  const share = neededOf(fit.room) / fit.room.usable;
  const colour = share > 1 ? 'var(--q-error)' : isTight(fit) ? 'var(--q-pause)' : 'var(--q-c1)';
  return (
    <>
      <Meter parts={[{ share, colour }]} />
      <span className={`num ${classes.sub}`}>{memoryText(fit.room, onGpu)}</span>
    </>
  );
}
