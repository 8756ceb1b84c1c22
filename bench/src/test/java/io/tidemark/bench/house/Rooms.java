// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.house;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which room may use which.
 *
 * @param all the rooms, each below those it may use
 * @param forEveryone names of classes that every room may use
 */
record Rooms(List<Room> all, Set<String> forEveryone) {

  /**
   * A module of the build and the package it owns, with those below it.
   *
   * @param module its directory
   * @param root its package
   * @param mayUse the modules that its classes may refer to
   * @param exists whether it has been built yet
   */
  record Room(String module, String root, Set<String> mayUse, boolean exists) {

    private boolean owns(String packageName) {
      return packageName.equals(root) || packageName.startsWith(root + ".");
    }
  }

  /** {@code | `folder/` | `package` | what lives there | may use | state |}. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z0-9-]+)/` \\| `([a-z0-9.]+)` \\|.*\\|(.*)\\|(.*)\\|$");

  /** Reads the table of rooms, in which a room comes after all that it may use. */
  static Rooms parse(String markdown, Set<String> forEveryone) {
    List<Room> rooms = new ArrayList<>();
    for (Matcher row = ROW.matcher(markdown); row.find(); ) {
      Set<String> above = Set.copyOf(rooms.stream().map(Room::module).toList());
      String module = row.group(1);
      Set<String> mayUse = mayUse(row.group(3).strip(), above);
      if (!above.containsAll(mayUse)) {
        throw new IllegalArgumentException(module + " may use only rooms above, not " + mayUse);
      }
      rooms.add(new Room(module, row.group(2), mayUse, row.group(4).strip().equals("here")));
    }
    return new Rooms(List.copyOf(rooms), forEveryone);
  }

  private static Set<String> mayUse(String cell, Set<String> above) {
    return switch (cell) {
      case "none" -> Set.of();
      case "all above" -> above;
      default -> Set.of(cell.split(", "));
    };
  }

  /** The room of a package: the innermost that owns it. */
  Optional<Room> of(String packageName) {
    return all.stream()
        .filter(room -> room.owns(packageName))
        .max(Comparator.comparingInt(room -> room.root().length()));
  }

  /** Holds for a class that is in a room and refers to no room that its own may not use. */
  ArchCondition<JavaClass> condition() {
    return new ArchCondition<>("use only the rooms that their own may use") {
      @Override
      public void check(JavaClass user, ConditionEvents events) {
        Optional<Room> room = of(user.getPackageName());
        if (room.isEmpty()) {
          events.add(SimpleConditionEvent.violated(user, user.getName() + " is in no room"));
          return;
        }
        for (Dependency use : user.getDirectDependenciesFromSelf()) {
          if (!allows(room.get(), use.getTargetClass())) {
            events.add(SimpleConditionEvent.violated(use, use.getDescription()));
          }
        }
      }
    };
  }

  private boolean allows(Room room, JavaClass used) {
    JavaClass type = used.getBaseComponentType();
    Optional<Room> other = of(type.getPackageName());
    return other.isEmpty()
        || other.get().equals(room)
        || room.mayUse().contains(other.get().module())
        || forEveryone.contains(type.getName());
  }
}
