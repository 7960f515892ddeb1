import { VisuallyHidden } from '@mantine/core';
import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accuracyOf } from '../../../../src-preload/contract/evaluation-cells.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useWords } from '../use-words.ts';
import { cellAfter, type GridPlace } from './grid-keys.ts';
import { heatColour, heatInk } from './heat.ts';
import classes from './heat-grid.module.css';
import type { Spot } from './map-cells.ts';
import { useSpotWords } from './use-spot-words.ts';

export interface HeatRow {
  name: string;
  /** A second line. */
  below?: string;
  spots: readonly Spot[];
}

interface HeatGridProps {
  label: string;
  /** What the rows are. */
  corner: string;
  lengths: readonly number[];
  rows: readonly HeatRow[];
  /** Key of the spot whose questions stand beside it. */
  selected: string | undefined;
  onSelect: (key: string) => void;
}

/** How well, by colour and number: a column for each length. The arrow keys move in it, Enter chooses. */
export function HeatGrid({ label, corner, lengths, rows, selected, onSelect }: HeatGridProps) {
  const words = useWords();
  const { t } = useTranslation('evaluation');
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<GridPlace>({ row: 0, column: 0 });
  const press = (event: KeyboardEvent) => {
    const spot = rows[at.row]?.spots[at.column];
    if (spot && (event.key === 'Enter' || event.key === ' ')) onSelect(spot.key);
    const next = cellAfter(event, at, { rows: rows.length, columns: lengths.length });
    if (!next && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (next) table.current?.tBodies[0]?.rows[next.row]?.cells[next.column + 1]?.focus();
  };
  return (
    <div className={classes.scroll}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows and columns are a table's, and its cells can be chosen */}
      <table ref={table} role="grid" aria-label={label} className={classes.grid} onKeyDown={press}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {lengths.map((length) => (
              <th key={length} scope="col" aria-label={t('tokens', { length: words.length(length) })}>
                {words.length(length)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, below, spots }, row) => (
            <tr key={name}>
              <th scope="row">
                {name}
                {below && <span className={classes.below}>{below}</span>}
              </th>
              {spots.map((spot, column) => (
                <HeatCell
                  key={spot.key}
                  spot={spot}
                  isSelected={spot.key === selected}
                  // One cell is in the order of the Tab key; the others are reached from it.
                  isNext={
                    row === Math.min(at.row, rows.length - 1) && column === Math.min(at.column, lengths.length - 1)
                  }
                  onFocus={() => setAt({ row, column })}
                  onSelect={() => onSelect(spot.key)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeatCellProps {
  spot: Spot;
  isSelected: boolean;
  isNext: boolean;
  onFocus: () => void;
  onSelect: () => void;
}

function HeatCell({ spot, isSelected, isNext, onFocus, onSelect }: HeatCellProps) {
  const format = useFormat();
  const { t } = useTranslation('evaluation');
  const spotWords = useSpotWords();
  const share = accuracyOf(spot.sum);
  const colours = share === undefined ? {} : coloursOf(share);
  const shown = share === undefined ? (spot.state === 'noRoom' ? t('map.noRoom') : '·') : format.number(100 * share);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the grid
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is a cell of a grid
      role="gridcell"
      className={classes.cell}
      tabIndex={isNext ? 0 : -1}
      aria-selected={isSelected}
      data-state={spot.state}
      style={colours}
      onFocus={onFocus}
      onClick={onSelect}
      title={spotWords(spot)}
    >
      <span aria-hidden>{shown}</span>
      <VisuallyHidden>{spotWords(spot)}</VisuallyHidden>
    </td>
  );
}

const coloursOf = (share: number) =>
  ({
    '--heat': `light-dark(${heatColour(share, 'light')}, ${heatColour(share, 'dark')})`,
    '--heat-ink': `light-dark(${heatInk(share, 'light')}, ${heatInk(share, 'dark')})`,
  }) as CSSProperties;

const LEGEND = [0, 0.25, 0.5, 0.75, 1];

/** Which colour stands for what. */
export function HeatLegend() {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  return (
    <p className={classes.legend}>
      <span>{t('map.right')}</span>
      <span className={classes.scale}>
        {LEGEND.map((share) => (
          <span key={share} style={coloursOf(share)}>
            {format.number(100 * share)}
          </span>
        ))}
      </span>
      <span className={classes.scale}>
        <span data-state="noRoom">{t('map.noRoom')}</span>
      </span>
      <span>{t('map.noRoomMeans')}</span>
    </p>
  );
}
