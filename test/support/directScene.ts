import { dataOf } from './expect.ts';
import { Scene } from './scene.ts';
import type { Client, Json } from './world.ts';

/**
 * A scene whose channels are direct messages. Its records are created by an agent of the server, who is a
 * member of all of them. Each direct message also has another agent as a member.
 */
export class DirectScene extends Scene {
  static async within({ world, server }: Scene): Promise<DirectScene> {
    const owner = await world.user({ agent: true });
    const scene = new DirectScene({ world, owner, server, admin: await world.client(server, [], owner) });
    // Without a direct message, the agent could not upload files.
    await scene.channel();
    return scene;
  }

  override async channel(): Promise<Json> {
    return (await this.conversation()).dm;
  }

  /** The same scene with all records in one direct message. */
  in(place: Json): DirectScene {
    const { world, owner, server, admin } = this;
    return new DirectScene({ world, owner, server, admin, place });
  }

  /** A new direct message, and its other member. */
  async conversation(): Promise<{ dm: Json; other: Client }> {
    const user = await this.world.user({ agent: true });
    const other = await this.world.client(this.server, [], user);
    const dm = dataOf(await this.admin.post('/conversations', { userIds: [user.id] }));
    return { dm, other };
  }
}
