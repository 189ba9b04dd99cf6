export interface SectionProps {
  serverId: string;
}
