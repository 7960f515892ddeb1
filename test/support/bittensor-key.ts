/** The sheet's key (Bittensor §2), made with the official software's cryptography. It holds no money: everybody knows it. */
export const SHEET_KEY = {
  phrase: 'old leopard transfer rib spatial phone calm indicate online fire caution review',
  seed: 'da3cf5b1e9144931a0f0db65664aab662673b099415a7f8121b7245fb0be4143',
  publicKey: 'e4359ad3e2716c539a1d663ebd0a51bdc5c98a12e663bb4c4402db47828c9446',
  address: '5HDvhV6WDCjCKyrXqGQSDYqQAzkzabNhctmiDYEqgBC66BsX',
  /** As polkadot.js writes it, and as the official wallet does. */
  expanded:
    'f8c8a8ec9d0fdd031353337936af279bbda106b3ba0d45d920334eaa9664d6569cffd34d9fb01cae1fba61aeed184c817442a2186d5172416729a4b54dd4b84e',
  canonical:
    '1f1995bdf3a17b60626a26cfe6f564b337d46056b7a1281b64c649d592ccda0a9cffd34d9fb01cae1fba61aeed184c817442a2186d5172416729a4b54dd4b84e',
  password: 'thisisafakepassword',
  /** Of that password, by the official wallet's derivation. */
  naclKey: 'a17c46ecafdd501ecb1da0651d35abfecf60df14bffa8e949f58aaecd75cb3c8',
} as const;
