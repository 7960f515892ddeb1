/** What main says about: a password that it asks for, of a backup or of a wallet. */
export const password = {
  'password.short': 'The password needs at least {{least}} characters.',
  'password.missing': 'No password was given.',
  'password.differs': 'The two passwords are not the same.',
  'password.noDescriptor': 'No password can be read from the file descriptor {{fd}}.',
  'password.openDescriptor': 'Open it with the command: {{fd}}< and the name of a file, at its end.',
} as const;
