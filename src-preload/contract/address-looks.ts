/** What an address of Bittensor looks like: whether it is one says main, which checks its checksum. */
export const SS58_LOOKS = /^5[1-9A-HJ-NP-Za-km-z]{47}$/;
