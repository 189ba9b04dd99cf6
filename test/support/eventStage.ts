import type { Ready } from './ready.ts';
import { Scene } from './scene.ts';
import { find } from './sources.ts';
import type { Client, Json, World } from './world.ts';

/** An event: its type, and some fields of its data, identifiers above all. */
export type Line = readonly [type: string, data: Json];

/** A request, and all the events that it appends, in their order, given its answer. */
interface Told extends Ready {
  /** The client that asks; the administrator of the server at home unless given. */
  as?: Client;
  home?: (made: Json) => Line[];
  /** In the other server. */
  away?: (made: Json) => Line[];
}

/** One of the ways in which an operation appends events. */
export interface EventCase {
  what: string;
  write(stage: EventStage): Promise<Told>;
}

/** Two servers, and a guest at home. */
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

  /** The member of the server at home that a user is, with the roles as a read shows them. */
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
