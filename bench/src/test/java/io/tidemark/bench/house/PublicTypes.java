// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Types of compiled classes that a user of the libraries can name: public ones outside of packages
 * called "internal". Builders that RecordBuilder generates belong to their records and don't count.
 */
final class PublicTypes {

  private static final String WITH = "$With";

  private final List<JavaClass> types;

  private PublicTypes(List<JavaClass> types) {
    this.types = types;
  }

  static PublicTypes of(JavaClasses classes) {
    Set<String> generated =
        classes.stream()
            .flatMap(type -> type.getRawInterfaces().stream())
            .map(JavaClass::getName)
            .filter(name -> name.endsWith(WITH))
            .map(name -> name.substring(0, name.length() - WITH.length()))
            .collect(Collectors.toSet());
    return new PublicTypes(
        classes.stream()
            .filter(type -> isReachable(type) && !isInternal(type))
            .filter(type -> !generated.contains(outermost(type).getName()))
            .toList());
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(PublicTypes::outermost).orElse(type);
  }

  private static boolean isReachable(JavaClass type) {
    return isOpen(type.getModifiers())
        && type.getEnclosingClass().map(PublicTypes::isReachable).orElse(true);
  }

  private static boolean isOpen(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  static boolean isInternal(JavaClass type) {
    return (type.getPackageName() + ".").contains(".internal.");
  }

  /** Returns their names in order, nested types as {@code Outer.Inner}. */
  List<String> names() {
    return types.stream().map(type -> type.getName().replace('$', '.')).sorted().toList();
  }

  /** Returns the members of these types that show an internal type, each with that type. */
  List<String> leaks() {
    List<String> leaks = new ArrayList<>();
    for (JavaClass type : types) {
      Stream.concat(type.getInterfaces().stream(), type.getSuperclass().stream())
          .forEach(shown -> leak(type.getName(), shown).ifPresent(leaks::add));
      for (JavaMember member : type.getMembers()) {
        if (isOpen(member.getModifiers())) {
          shown(member).forEach(shown -> leak(member.getFullName(), shown).ifPresent(leaks::add));
        }
      }
    }
    return leaks.stream().distinct().sorted().toList();
  }

  private static Stream<JavaType> shown(JavaMember member) {
    if (member instanceof JavaField field) {
      return Stream.of(field.getType());
    }
    JavaCodeUnit unit = (JavaCodeUnit) member;
    return Stream.of(
            Stream.of(unit.getReturnType()),
            unit.getParameterTypes().stream(),
            unit.getExceptionTypes().stream().map(JavaType.class::cast))
        .flatMap(types -> types);
  }

  private static Optional<String> leak(String where, JavaType shown) {
    return shown.getAllInvolvedRawTypes().stream()
        .map(JavaClass::getBaseComponentType)
        .filter(PublicTypes::isInternal)
        .findFirst()
        .map(type -> where + " shows " + type.getName());
  }
}
