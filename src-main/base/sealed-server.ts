/**
 * Stands for the address of a server that is set, but sealed, and cannot be read here: who would connect to it says so, and
 * does not go on as if none were set. The name is one that no host has (RFC 2606).
 */
export const SEALED_SERVER = 'postgres://sealed.invalid/';
