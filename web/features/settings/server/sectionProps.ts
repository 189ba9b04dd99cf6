/** Props of every section. */
export interface SectionProps {
  serverId: string;
}
