export { DropZone, filesOf } from './DropZone.tsx';
export { UploadList } from './UploadList.tsx';
export {
  addFiles,
  MOST_FILES,
  takeFiles,
  uploadsAt,
  useUploads,
  whenUploaded,
} from './uploads.ts';
