import { IconAlertTriangle, IconCheck, IconClock, IconQuestionMark, IconX } from '@tabler/icons-react';
import type { SentCall } from '../../../../src-preload/contract/chain.ts';

/** What shape says of a call’s state. */
export const CALL_ICON: Record<SentCall['state'], typeof IconCheck> = {
  waiting: IconClock,
  done: IconCheck,
  failed: IconAlertTriangle,
  expired: IconX,
  unknown: IconQuestionMark,
};
