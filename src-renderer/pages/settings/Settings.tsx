import { PageBody } from '../../components/page/PageBody.tsx';
import { usePlace } from '../../components/page/place.ts';
import { MoreFields } from './fields/MoreFields.tsx';
import { SECTIONS } from './sections.tsx';

/** Everything that can be set, in tabs; each change is saved at once. */
export function Settings() {
  const place = usePlace('settings');
  const Content = SECTIONS[place];
  return (
    <PageBody>
      <Content />
      <MoreFields place={place} />
    </PageBody>
  );
}
