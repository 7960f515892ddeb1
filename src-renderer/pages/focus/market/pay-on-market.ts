import { client } from '../../../api/client.ts';
import type { Send } from '../../../components/chain/use-sending.ts';

/** Sends the draft of a payment: within the limit of a day, and once. */
export const payOnMarket: Send = (input) => client.trade.pay(input);
