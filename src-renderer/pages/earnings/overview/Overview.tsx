import { PageBody } from '../../../components/page/PageBody.tsx';
import { SectionPair } from '../../../components/Section.tsx';
import { BackupReminder } from './BackupReminder.tsx';
import { DailyEarnings } from './DailyEarnings.tsx';
import { CreditFigures, PointFigures } from './EarnedFigures.tsx';
import { FocusVideos } from './FocusVideos.tsx';
import { PendingAndSettled } from './PendingAndSettled.tsx';
import { PointSources } from './PointSources.tsx';

/** What was earned, day by day, and from what. */
export function Overview() {
  return (
    <PageBody>
      <PointFigures />
      <BackupReminder />
      <DailyEarnings />
      <CreditFigures />
      <SectionPair>
        <PointSources />
        <PendingAndSettled />
      </SectionPair>
      <FocusVideos />
    </PageBody>
  );
}
