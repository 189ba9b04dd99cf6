/** What every section takes. */
export interface SectionProps {
  serverId: string;
}
