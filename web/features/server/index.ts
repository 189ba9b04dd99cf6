export { CreateServer } from './CreateServer.tsx';
export { ServerMenu } from './ServerMenu.tsx';
