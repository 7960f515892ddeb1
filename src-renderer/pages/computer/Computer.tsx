import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { SectionPair } from '../../components/Section.tsx';
import { useNode } from '../../state/node.ts';
import { Energy } from './Energy.tsx';
import { GraphicsCards } from './GraphicsCards.tsx';
import { InMemory } from './InMemory.tsx';
import { InUse } from './InUse.tsx';
import { System } from './System.tsx';

/** What a computer is made of hardly changes; to look starts llama.cpp for a second. */
const LOOK_AGAIN_MS = 120_000;
/** As often as main looks at the cards. */
const CARDS_EVERY_MS = 10_000;

/** What this computer is made of, what of it is in use, and what mining on it costs. */
export function Computer() {
  const mines = useNode(({ status }) => status?.mining !== undefined);
  const { data, error, refetch } = useAnswer(api.node.hardware.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  const { data: cards } = useAnswer(api.node.cards.queryOptions({ refetchInterval: CARDS_EVERY_MS }));
  return (
    <PageBody>
      {!data && error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      <InUse hardware={data} cards={cards ?? []} />
      <GraphicsCards hardware={data} cards={cards} />
      {mines && <Energy />}
      <SectionPair>
        <System hardware={data} />
        <InMemory />
      </SectionPair>
    </PageBody>
  );
}
