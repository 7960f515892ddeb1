/** Tasks are called by short names, which people write in capitals: «SAT», «SAT (easy)», and out of a data set «ELR:its-name». */
export const taskName = (environment: string) => environment.replace(/^[a-z0-9]+/, (task) => task.toUpperCase());
