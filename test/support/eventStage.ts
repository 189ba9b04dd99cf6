import type { Ready } from './ready.ts';
import { Scene } from './scene.ts';
import { find } from './sources.ts';
import type { Client, Json, World } from './world.ts';

/** An expected event: its type and some fields of its data, mainly ids. */
export type Line = readonly [type: string, data: Json];

/** A request, and the events that it appends, in order. The events may depend on its response. */
interface Told extends Ready {
  /** The client that sends the request. By default, the admin of the home server. */
  as?: Client;
  home?: (made: Json) => Line[];
  /** The events in the other server. */
  away?: (made: Json) => Line[];
}

/** One way in which an operation appends events. */
export interface EventCase {
  what: string;
  write(stage: EventStage): Promise<Told>;
}

/** Two servers, with a guest in the first. */
export class EventStage {
  readonly world: World;
  readonly home: Scene;
  readonly away: Scene;
  readonly guest: Client;
  readonly guestUser: Json;

  private constructor(world: World, home: Scene, away: Scene, guest: Client, guestUser: Json) {
    this.world = world;
    this.home = home;
    this.away = away;
    this.guest = guest;
    this.guestUser = guestUser;
  }

  static async open(world: World): Promise<EventStage> {
    const home = await Scene.open(world);
    const user = await world.user();
    const guest = await world.client(home.server, ['canEditData'], user);
    return new EventStage(world, home, await Scene.open(world), guest, user);
  }

  /** A user's membership in the home server, including its roles, as a read shows it. */
  async member(userId: string): Promise<Json> {
    const { db } = this.world.data;
    const serverId = this.home.server.id;
    const roles = await db.read.all(find('userRole', { serverId, userId }));
    const roleIds = roles.sort((one, other) => (one.id < other.id ? -1 : 1)).map(({ roleId }) => roleId);
    return { ...(await db.read.first(find('serverMember', { serverId, userId }))), roles, roleIds };
  }

  async memberCount(scene = this.home): Promise<number> {
    return (await scene.admin.get(`/servers/${scene.server.id}`)).data.memberCount;
  }
}
