import { useLocation } from 'wouter';

/** What is shown of one subnet. */
export const SUBNET_VIEWS = ['neurons', 'rules'] as const;
export type SubnetView = (typeof SUBNET_VIEWS)[number];

/** `/subnets/12` and `/subnets/12/rules`; what lies outside the chain's 16 bits is no subnet. */
const ADDRESS = /^\/subnets\/(\d{1,5})(?:\/(rules))?$/;
const MOST_NETUID = 65_535;

export interface SubnetAddress {
  netuid: number;
  view: SubnetView;
}

/** The subnet that an address names; undefined where it names none. */
export function subnetAt(address: string): SubnetAddress | undefined {
  const [, digits, rules] = ADDRESS.exec(address) ?? [];
  if (digits === undefined || Number(digits) > MOST_NETUID) return undefined;
  return { netuid: Number(digits), view: rules ? 'rules' : 'neurons' };
}

export function pathOfSubnet(netuid: number, view: SubnetView = 'neurons'): string {
  return `/subnets/${netuid}${view === 'neurons' ? '' : `/${view}`}`;
}

/** The subnet of the open address. */
export function useSubnetAddress(): SubnetAddress | undefined {
  const [address] = useLocation();
  return subnetAt(address);
}
