import { PageBody } from '../../../components/page/PageBody.tsx';
import { SectionPair } from '../../../components/Section.tsx';
import { BackupReminder } from './BackupReminder.tsx';
import { DailyEarnings } from './DailyEarnings.tsx';
import { CreditFigures, PointFigures } from './EarnedFigures.tsx';
import { FocusVideos } from './FocusVideos.tsx';
import { PendingAndSettled } from './PendingAndSettled.tsx';
import { PointSources } from './PointSources.tsx';

/** What was earned, as points day by day and as TAO for videos; then who owes whom for it, and where points come from. */
export function Overview() {
  return (
    <PageBody>
      <PointFigures />
      <BackupReminder />
      <DailyEarnings />
      <FocusVideos />
      <CreditFigures />
      <SectionPair>
        <PointSources />
        <PendingAndSettled />
      </SectionPair>
    </PageBody>
  );
}
