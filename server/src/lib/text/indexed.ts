import { allEntities } from './allEntities.ts';
import { learnEntities } from './entities.ts';

// The server knows all entities at once; the client loads them when a message has an uncommon one.
learnEntities(allEntities);

export { searchText } from './text.ts';
