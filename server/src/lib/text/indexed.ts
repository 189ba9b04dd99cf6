import { allEntities } from './allEntities.ts';
import { learnEntities } from './entities.ts';

// The server loads all entities immediately. The client loads them when a message contains an uncommon one.
learnEntities(allEntities);

export { searchText } from './text.ts';
