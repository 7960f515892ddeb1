import { useTranslation } from 'react-i18next';
import type { FleetNode } from '../../../../src-preload/contract/fleet.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { Tier } from '../../../components/Tier.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { modelTitle } from '../../../i18n/model-title.ts';
import { NodeState } from './NodeState.tsx';
import { useSeen } from './use-seen.ts';

interface NodesTableProps {
  nodes: readonly FleetNode[];
  /** Id of the node whose details stand beside the list. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** This node first, then the others: what each does and has earned; of one that is away, what it said last. */
export function NodesTable({ nodes, selected, onSelect }: NodesTableProps) {
  const { t } = useTranslation('network');
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('mine.table')}>
        <thead>
          <tr>
            <th scope="col">{t('mine.node')}</th>
            <th scope="col">{t('mine.state')}</th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('mine.tokens')}
            </th>
            <th scope="col" className={classes.wide}>
              {t('mine.tier')}
            </th>
            <th scope="col" className={classes.num}>
              {t('mine.todayShort')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('mine.weekShort')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('mine.seen')}
            </th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <Row key={node.id} node={node} selected={node.id === selected} onSelect={() => onSelect(node.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ node, selected, onSelect }: { node: FleetNode; selected: boolean; onSelect: () => void }) {
  const { t } = useTranslation('network');
  const format = useFormat();
  const seen = useSeen();
  const { self, online, name, summary } = node;
  const below = [self && t('mine.thisNode'), summary?.model && modelTitle(summary.model).title].filter(Boolean);
  return (
    <PickRow name={name} below={below.join(' · ') || '–'} selected={selected} onSelect={onSelect} dim={!online}>
      <td>
        <NodeState node={node} />
      </td>
      <td className={`num ${classes.num} ${classes.wide}`}>
        {summary?.tokensPerSecond === undefined
          ? '–'
          : format.number(summary.tokensPerSecond, summary.tokensPerSecond < 10 ? 1 : 0)}
      </td>
      <td className={classes.wide}>{summary ? <Tier tier={summary.tier} size={15} /> : '–'}</td>
      <td className={`num ${classes.num}`}>{summary ? format.number(summary.earned.today) : '–'}</td>
      <td className={`num ${classes.num} ${classes.wide}`}>{summary ? format.number(summary.earned.week) : '–'}</td>
      <td className={`num ${classes.num} ${classes.wide} ${classes.when}`}>{seen(node)}</td>
    </PickRow>
  );
}
