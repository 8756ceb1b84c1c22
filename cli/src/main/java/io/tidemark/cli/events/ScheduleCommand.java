// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.events.EventSchedule;
import io.tidemark.api.events.EventService;
import io.tidemark.api.events.PublishRequest;
import io.tidemark.cli.terminal.ExitCodes;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark events schedule VERB}. */
@Command(
    name = "schedule",
    description =
        "Publishes events again and again, at times of cron in UTC; the servers of the data"
            + " ('tidemark serve') do it, each time once.",
    subcommands = {
      ScheduleCommand.Add.class,
      ScheduleCommand.Listing.class,
      ScheduleCommand.Remove.class
    },
    footer = {
      "",
      "Examples:",
      "  tidemark events schedule add nightly --cron '30 4 * * *' --type report.due",
      "  tidemark events schedule list --json",
      "  tidemark events schedule remove nightly"
    })
final class ScheduleCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to do: add, list, remove");
  }

  /** {@code tidemark events schedule add NAME}. */
  @Command(
      name = "add",
      description = "Stores a schedule, in place of one of the same name.",
      footer = {
        "",
        "Examples:",
        "  tidemark events schedule add nightly --cron '30 4 * * 1-5' --type report.due",
        "  tidemark events schedule add hourly --cron '0 * * * *' --type tick --payload '{\"n\":1}' --json"
      })
  static final class Add implements Callable<Integer> {

    @Mixin private NamespaceMixin choice;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the schedule.")
    private String name;

    @Option(
        names = "--cron",
        required = true,
        paramLabel = "FIELDS",
        description = "Minute, hour, day of the month, month, day of the week.")
    private String cron;

    @Option(
        names = "--type",
        required = true,
        paramLabel = "TYPE",
        description = "Type of the events.")
    private String type;

    @Option(
        names = "--payload",
        paramLabel = "JSON",
        description = "A JSON object, @FILE, or - for standard input. Default: {}")
    private String payload = "{}";

    @Option(
        names = "--priority",
        paramLabel = "N",
        description = "The higher the sooner. Default: 100")
    private int priority = PublishRequest.STANDARD_PRIORITY;

    @Override
    public Integer call() {
      EventSchedule schedule =
          new EventSchedule(name, cron, type, EventLinePublisher.payload(payload), priority);
      return choice.with(events -> add(events, schedule));
    }

    private int add(EventService events, EventSchedule schedule) {
      events.subscriptions().schedule(schedule);
      choice.bus().print(schedule, "scheduled " + name);
      return ExitCodes.OK;
    }
  }

  /** {@code tidemark events schedule list}. */
  @Command(
      name = "list",
      description = "Lists the schedules of a namespace.",
      footer = {
        "",
        "Examples:",
        "  tidemark events schedule list",
        "  tidemark events schedule list --namespace orders --json"
      })
  static final class Listing implements Callable<Integer> {

    @Mixin private NamespaceMixin choice;

    @Override
    public Integer call() {
      return choice.with(this::list);
    }

    private int list(EventService events) {
      List<EventSchedule> found = events.subscriptions().schedules();
      choice.bus().print(found, found.isEmpty() ? "no schedules" : table(found));
      return ExitCodes.OK;
    }

    private static String table(List<EventSchedule> found) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("NAME", "CRON", "TYPE", "PRIORITY", "PAYLOAD"));
      for (EventSchedule each : found) {
        rows.add(
            List.of(
                each.name(),
                each.cron(),
                each.type(),
                Integer.toString(each.priority()),
                EventFormatter.brief(each.payload().toString())));
      }
      return Table.aligned(rows);
    }
  }

  /** {@code tidemark events schedule remove NAME}. */
  @Command(
      name = "remove",
      description = "Removes a schedule.",
      footer = {
        "",
        "Exit code 1: there is no such schedule.",
        "",
        "Examples:",
        "  tidemark events schedule remove nightly",
        "  tidemark events schedule remove nightly --namespace orders --json"
      })
  static final class Remove implements Callable<Integer> {

    @Mixin private NamespaceMixin choice;

    @Parameters(paramLabel = "NAME", description = "Name of the schedule.")
    private String name;

    @Override
    public Integer call() {
      return choice.with(this::remove);
    }

    private int remove(EventService events) {
      events.subscriptions().unschedule(name);
      choice
          .bus()
          .print(JsonNodeFactory.instance.objectNode().put("removed", name), "removed " + name);
      return ExitCodes.OK;
    }
  }
}
