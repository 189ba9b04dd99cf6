import { bundleInPlace } from './bundle.ts';

// Bundles the server into the given folder, for `npm start`.
await bundleInPlace(process.argv[2] as string);
